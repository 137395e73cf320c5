// What a browser has to fetch, gzipped, against what was promised. `npm run build` first.
// Prints one JSON line with the figures; ends with 1 when a limit is exceeded.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = path.dirname(fileURLToPath(import.meta.url));
const built = path.join(here, "../static");
const KB = 1000;

/** Pages whose first view is a table. */
const TABLE_PAGES = ["inventory", "locations", "batches", "sources"];
/** A chart library may lie in a chunk of its own, by this name. */
const CHART_CHUNK = "charts";

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const sizes = new Map();
const sizeOf = (file) => {
  if (!sizes.has(file)) {
    const content = readFileSync(path.join(built, file));
    sizes.set(file, gzipSync(content, { level: 9 }).length);
  }
  return sizes.get(file);
};
const total = (files) => [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0);
const kilobytes = (bytes) => Math.round((bytes / KB) * 10) / 10;

const manifest = read(path.join(built, "manifest.json"));
const scripts = (files) => files.filter((file) => file.endsWith(".js"));
const shell = [manifest.theme, ...manifest.js];
const lazy = Object.entries(manifest.pages);

const tablePages = lazy.filter(([name]) => TABLE_PAGES.includes(name));
const firstTablePage = Math.max(
  ...tablePages.map(([, files]) => total([...shell, ...scripts(files)])),
);
const lazyFiles = readdirSync(built).filter(
  (file) => file.endsWith(".js") && !shell.includes(file) && file !== manifest.worker,
);
const isChart = (file) => file.startsWith(`${CHART_CHUNK}.`);
const largest = (files) =>
  files.reduce((most, file) => (sizeOf(file) > sizeOf(most) ? file : most), files[0]);
const largestLazy = largest(lazyFiles.filter((file) => !isChart(file)));
const chart = lazyFiles.find(isChart);
const styles = total([
  ...manifest.css,
  ...lazy.flatMap(([, files]) => files.filter((file) => file.endsWith(".css"))),
]);

const figures = {
  shell_kb: kilobytes(total(shell)),
  first_table_page_kb: kilobytes(firstTablePage),
  largest_lazy_chunk_kb: kilobytes(sizeOf(largestLazy)),
  chart_chunk_kb: chart ? kilobytes(sizeOf(chart)) : 0,
  css_kb: kilobytes(styles),
};
const limits = {
  shell_kb: 160,
  first_table_page_kb: 240,
  largest_lazy_chunk_kb: 60,
  chart_chunk_kb: 130,
  css_kb: 18,
};
const exceeded = Object.keys(limits).filter((name) => figures[name] > limits[name]);

for (const [name, files] of lazy) {
  const own = total(scripts(files).filter((file) => !shell.includes(file)));
  console.error(`${name.padEnd(14)} ${String(kilobytes(own)).padStart(6)} kB beyond the shell`);
}
console.log(
  JSON.stringify({ name: "bundle", figures, limits, within_limits: exceeded.length === 0 }),
);
if (exceeded.length > 0) {
  console.error(`Too large: ${exceeded.join(", ")}`);
  process.exit(1);
}
