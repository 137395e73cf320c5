import type { ReactNode } from "react";
import { productName } from "@/shared/lib/pageMeta";

export function PrivacyPage() {
  const product = productName();
  return (
    <article className="mx-auto w-full max-w-3xl px-4 py-8 sm:px-6">
      <h1 className="font-semibold text-3xl tracking-tight">Privacy policy</h1>
      <p className="mt-2 text-muted">
        What {product} keeps about you, why, where, and how you get it back or have it removed.
      </p>
      <Part title="Who is responsible">
        The operator of this installation of {product}: the person or company that gave you its
        address. {product} is software; no one else receives your data through its use.
      </Part>
      <Part title="What is kept">
        Your account: name, e-mail address, what else you enter in your profile, and a salted hash
        of your password (never the password). Of each device that is signed in: browser, system and
        when it was last used. Your work: stock, locations, sources, batches, files you import and
        export, your settings, and a ledger of stock movements. Technical records: messages of
        errors, without passwords and tokens, and the addresses from which sign-in was tried, to
        slow down guessing.
      </Part>
      <Part title="What is kept in your browser">
        Your user record and two tokens that keep you signed in, your theme, and your display
        options. There are no advertising cookies and nothing that follows you to other sites.
        Signing out removes the user record, the tokens and what belongs to you as a person.
      </Part>
      <Part title="Who else gets data">
        No one, unless the operator or you switch on an outside service: a marketplace (the lots you
        list), image recognition (the pictures you take of parts) or mail (a link to reset your
        password). Each says so where it is switched on.
      </Part>
      <Part title="How long">
        As long as your account exists. Batches, stock and files go when you delete them; the ledger
        goes with the account.
      </Part>
      <Part title="Your rights">
        You can see and correct your data in the app, export your stock as BSX at any time, and ask
        the operator for a copy or for deletion of your account. If you think your data is treated
        wrongly, you can complain to the data protection authority of your country.
      </Part>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-6">
      <h2 className="font-semibold text-base">{title}</h2>
      <p className="mt-1 text-pretty leading-6">{children}</p>
    </section>
  );
}
