import type { ReactNode } from "react";

/** The frame of sign-in, sign-up and password reset: one column, one card. */
export function AuthCard(props: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <div className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center px-4 py-8">
      <h1 className="font-semibold text-2xl tracking-tight">{props.title}</h1>
      {props.lead && <p className="mt-1 text-muted">{props.lead}</p>}
      <div className="mt-6 flex flex-col gap-4 rounded-card border border-line bg-surface p-5 shadow-card">
        {props.children}
      </div>
      {props.foot && <p className="mt-4 text-center text-muted text-sm">{props.foot}</p>}
    </div>
  );
}

export const authLinkClass = "font-medium text-accent-ink underline-offset-2 hover:underline";
