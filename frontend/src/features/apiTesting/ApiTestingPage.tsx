import { Send } from "lucide-react";
import { useState } from "react";
import { METHODS } from "@/shared/api/requestChecks";
import { Button } from "@/shared/ui/Button";
import { Card, Page, PageHeader } from "@/shared/ui/Card";
import { Switch } from "@/shared/ui/Checkbox";
import { copyText } from "@/shared/ui/copyText";
import { ChoiceField, Field, Input, Textarea } from "@/shared/ui/Field";
import { toast } from "@/shared/ui/toast";
import { OutcomeCard } from "./OutcomeCard";
import { asCurl, readTrial, type Typed } from "./trial";
import { useTrial } from "./useTrial";

const methodOptions = METHODS.map((method) => ({ value: method, label: method }));

export function ApiTestingPage() {
  const [typed, setTyped] = useState<Typed>({
    method: "GET",
    endpoint: "batches",
    params: "",
    headers: "",
    body: "",
  });
  const [retry, setRetry] = useState(true);
  const { outcome, send, cancel } = useTrial();
  const read = readTrial(typed);
  const problem = "problem" in read ? read.problem : null;
  const running = outcome?.state === "running";

  const area = (name: "params" | "headers" | "body", label: string, hint: string) => (
    <Field label={label} hint={hint}>
      <Textarea
        value={typed[name]}
        onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
        spellCheck={false}
        className="font-mono text-xs"
      />
    </Field>
  );
  const copy = async () => {
    if (!("trial" in read)) return;
    if (await copyText(asCurl(read.trial))) toast.success("Copied as curl, without the token");
  };

  return (
    <Page>
      <PageHeader
        title="API testing"
        description="Requests go through the product's own client: its checks, its tokens, its retries."
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Card title="Request">
          <form
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              if ("trial" in read) void send(read.trial, retry);
            }}
          >
            <div className="grid grid-cols-[7rem_1fr] gap-3">
              <ChoiceField
                label="Method"
                options={methodOptions}
                value={typed.method}
                onChange={(value) => setTyped({ ...typed, method: value })}
              />
              <Field label="Endpoint" hint="The prefix /api is added unless it is there.">
                <Input
                  value={typed.endpoint}
                  onChange={({ target }) => setTyped({ ...typed, endpoint: target.value })}
                  spellCheck={false}
                  className="font-mono"
                />
              </Field>
            </div>
            {area("params", "Params", 'A JSON object: {"page": 2}')}
            {area("headers", "Headers", "A JSON object of texts.")}
            {area("body", "Body", "A JSON object, or nothing.")}
            <p role="status" className={problem ? "text-danger" : "text-success"}>
              {problem ?? "The request passes the checks."}
            </p>
            <div className="flex flex-wrap items-center gap-3">
              <Button
                type="submit"
                variant="primary"
                loading={running}
                disabledReason={problem}
                icon={Send}
              >
                Send
              </Button>
              {running && <Button onClick={cancel}>Cancel</Button>}
              <Button onClick={copy} disabledReason={problem}>
                Copy as curl
              </Button>
              <Switch label="Retry" checked={retry} onChange={setRetry} />
            </div>
          </form>
        </Card>
        <OutcomeCard outcome={outcome} />
      </div>
    </Page>
  );
}
