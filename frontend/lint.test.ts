/** The linter's rules of our own catch planted violations; `npm run lint` holds them on our source. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(__dirname, "..");
const bin = path.join(root, "node_modules/.bin/biome");

/** What the linter says of a file with this text. */
function lint(file: string, text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "lint-"));
  try {
    cpSync(path.join(root, "biome.json"), path.join(folder, "biome.json"));
    cpSync(path.join(__dirname, "lint"), path.join(folder, "frontend/lint"), { recursive: true });
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    const target = path.join(folder, "frontend/src", file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
    const given = ["lint", "--reporter=github", "frontend/src"];
    return execFileSync(bin, given, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  } catch (thrown) {
    const { stdout, stderr } = thrown as { stdout: string; stderr: string };
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("an address that is written by hand", () => {
  it.each([
    'export const planted = "/app/batches";\n',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template is in the planted text
    "export const planted = (id: number) => `/app/batches?batch=${id}`;\n",
    'export const Planted = () => <a href="/app/home">Home</a>;\n',
  ])("is refused: %s", (text) => {
    expect(lint("features/home/Planted.tsx", text)).toContain("shared/lib/paths");
  });

  it("may stand in the module of addresses, and in tests", () => {
    const text = 'export const home = "/app/home";\n';
    expect(lint("shared/lib/paths.ts", text)).not.toContain("shared/lib/paths:");
    expect(lint("features/home/planted.test.ts", text)).not.toContain("shared/lib/paths:");
  });
});

describe("the signs of a number", () => {
  const read = (expression: string) =>
    lint("features/home/planted.ts", `export const read = (text: string) => ${expression};\n`);

  it.each([
    'Number(text.replace(",", "."))',
    'text.replaceAll(",", "")',
    "text.replace(/,/g, '.')",
    'text.replace(/[.,]/g, "")',
    "Number.parseFloat(text)",
    "parseFloat(text)",
  ])("are read in one place only: %s", (planted) => {
    expect(read(planted)).toContain("shared/lib/numbers");
  });

  it("are told from other signs of a text", () => {
    expect(read('text.replace(/\\.[^.]+$/, "")')).not.toContain("shared/lib/numbers");
  });
});

describe("a bare <button>", () => {
  const draw = (file: string, element: string) =>
    lint(file, `export const Planted = () => ${element};\n`);

  it("stands where it does not write: a double click would write twice", () => {
    const bare = '<button type="button">Save</button>';
    expect(draw("features/home/Planted.tsx", bare)).toContain("a double click writes once");
    expect(draw("shared/ui/Button.tsx", bare)).not.toContain("a double click writes once");
  });

  it("is told from ours", () => {
    const ours = draw("features/home/Planted.tsx", "<Button>Save</Button>");
    expect(ours).not.toContain("a double click writes once");
  });
});

describe("a type of the wire", () => {
  it.each([
    "export const batch = one<Batch>(answer);\n",
    'export const batch = await api.get<Batch>("batches/{id}", { path: { id } });\n',
    "export type Batch = {\n  id: number;\n  updatedAt: string;\n};\n",
  ])("is the schema's, not written by hand: %s", (planted) => {
    expect(lint("features/home/planted.ts", planted)).toContain("The schema is the type");
  });

  it("may be written in the client itself", () => {
    const text = "export const batch = one<Batch>(answer);\n";
    expect(lint("shared/api/planted.ts", text)).not.toContain("The schema is the type");
  });
});
