// The browser bundle: hashed chunks in /static, a manifest for the one Django template, and
// a theme script apart, which blocks for a few hundred bytes so that no page flashes.
const { createHash } = require("node:crypto");
const path = require("node:path");
const CompressionPlugin = require("compression-webpack-plugin");
const CssMinimizerPlugin = require("css-minimizer-webpack-plugin");
const MiniCssExtractPlugin = require("mini-css-extract-plugin");
const TerserPlugin = require("terser-webpack-plugin");
const { WebpackManifestPlugin } = require("webpack-manifest-plugin");
// The whole plugin brings Rollup and Babel for what is not used here.
const { InjectManifest } = require("workbox-webpack-plugin/build/inject-manifest");

const root = path.resolve(__dirname, "..");
const source = path.join(__dirname, "src");
const TABLE =
  /src.shared.table.(?!editing|takeOut)|node_modules.@tanstack.(react-|)(table|virtual)/;
/** Forms and what opens over a page. */
const PANELS =
  /src.shared.form|node_modules.(react-hook-form|@radix-ui|@floating-ui|react-remove|aria-hidden|use-side|use-callback|tslib)/;
const SHARED = /node_modules|src.shared/;
/** What the frame of the app draws on every page, and features whose parts many pages open. */
const COMMON = /src.features.(jobs|outbox|exports|marketplace|recognition|auth|locations)/;
/** What nearly every page loads soon after it is drawn: editing, the frame, what is of one store. */
const SOON =
  /src.shared.(table|outbox|form.[Rr]epric|ui.(LargeFace|faces))|src.app|marketplace.(channels|forSale|KeyDialog|ConnectDialog)/;

const isLazy = (chunk) => !chunk.canBeInitial() && chunk.name !== "charts";
const isPage = (chunk) => Boolean(chunk.name) && !chunk.canBeInitial() && chunk.name !== "charts";
const isPart = (chunk) => !chunk.name && !chunk.canBeInitial();

/** Of these modules, the ones that a page needs to be drawn. */
const drawnBy =
  (pattern) =>
  (module, { chunkGraph }) =>
    pattern.test(module.nameForCondition() ?? "") &&
    chunkGraph.getModuleChunks(module).some(isPage);

/** What is loaded later (dialogs, panels) is one chunk for each folder: `batches-parts`. */
function folderOf(module) {
  const name = module.nameForCondition() ?? "";
  if (SOON.test(name)) return "soon";
  if (/src.shared.(camera|scanner|walk)|node_modules.qr/.test(name)) return "camera"; // walks scan
  if (SHARED.test(name)) return "shared";
  if (COMMON.test(name)) return "common";
  return /src.(?:features.)?([^\\/]+)/.exec(name)?.[1] ?? "other";
}

/**
 * manifest.json: `theme`, `js` and `css` are the first load in its order, for the template; `pages`
 * are all files of each lazy chunk that has a name, for checkBundle.mjs. `worker` is for the page.
 */
const firstLoadAndPages =
  (production) =>
  (_seed, files, { theme, main }) => {
    const pages = {};
    for (const { chunk, path: file } of files) {
      for (const group of chunk?.groupsIterable ?? []) {
        if (!group.name || group.isInitial()) continue;
        pages[group.name] = [...(pages[group.name] ?? []), file];
      }
    }
    const endingWith = (suffix) => main.filter((file) => file.endsWith(suffix));
    const worker = production ? WORKER : undefined;
    return { theme: theme[0], js: endingWith(".js"), css: endingWith(".css"), worker, pages };
  };

const WORKER = "worker.js";
/** What is needed in a cellar: the shell, the station, walks, picking, and where they begin. */
const OFFLINE =
  /^(theme|main|vendor|runtime|shared|table|panels|soon-parts|home|stow|orders|batches|inventory|locations|catalog|common-parts|camera-parts).*\.(js|css)$/;

/** The page itself, as the server has it when this version is installed. */
async function withShell(entries) {
  const hash = createHash("sha256").update(entries.map(({ url }) => url).join());
  const revision = hash.digest("hex").slice(0, 12);
  return { manifest: [...entries, { url: "/app?shell", revision, size: 0 }], warnings: [] };
}

/** Fetched once the page is there; all else is kept when it is first needed. */
const serviceWorker = () =>
  new InjectManifest({
    swSrc: path.join(source, "worker/worker.ts"),
    swDest: WORKER,
    include: [OFFLINE, /^inter-latin-wght.*woff2$/],
    exclude: [],
    // Their names change with their content.
    dontCacheBustURLsMatching: /\.[0-9a-f]{12}\./,
    manifestTransforms: [withShell],
  });

const compressed = (algorithm, suffix) =>
  new CompressionPlugin({
    algorithm,
    filename: `[path][base].${suffix}`,
    test: /\.(js|css|svg)$/,
    threshold: 1024,
    minRatio: Number.POSITIVE_INFINITY,
  });

module.exports = (_env, { mode = "production" }) => {
  const production = mode === "production";
  return {
    mode,
    context: root,
    target: ["web", "es2022"],
    entry: {
      // Without a runtime of its own: it runs before anything else is there.
      theme: { import: path.join(source, "app/themeBoot.ts"), runtime: false },
      main: path.join(source, "app/main.tsx"),
    },
    output: {
      path: path.join(root, "static"),
      publicPath: "/static/",
      filename: "[name].[contenthash:12].js",
      chunkFilename: "[name].[contenthash:12].js",
      assetModuleFilename: "[name].[contenthash:12][ext]",
      chunkLoadTimeout: 120000,
      crossOriginLoading: false,
      clean: { keep: /^icons\// },
    },
    // Maps are for the developer's machine; nothing of the source is served in production.
    devtool: production ? false : "source-map",
    resolve: {
      extensions: [".tsx", ".ts", ".js"],
      alias: { "@": source },
    },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          include: source,
          // Modules of ours only define things: a public.ts does not drag in what nobody uses.
          sideEffects: false,
          loader: "swc-loader",
          options: {
            jsc: {
              parser: { syntax: "typescript", tsx: true },
              transform: { react: { runtime: "automatic", development: !production } },
              target: "es2022",
            },
          },
        },
        {
          test: /\.css$/,
          use: [
            MiniCssExtractPlugin.loader,
            { loader: "css-loader", options: { importLoaders: 1 } },
            {
              loader: "postcss-loader",
              options: { postcssOptions: { config: false, plugins: ["@tailwindcss/postcss"] } },
            },
          ],
        },
        { test: /\.woff2$/, type: "asset/resource" },
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: "[name].[contenthash:12].css",
        chunkFilename: "[name].[contenthash:12].css",
      }),
      new WebpackManifestPlugin({ publicPath: "", generate: firstLoadAndPages(production) }),
      // The server only has to send what is compressed. In development no worker keeps old files.
      ...(production
        ? [compressed("gzip", "gz"), compressed("brotliCompress", "br"), serviceWorker()]
        : []),
    ],
    optimization: {
      minimizer: [
        // Both have threads of their own: another process would only cost its start.
        new TerserPlugin({
          minify: TerserPlugin.swcMinify,
          extractComments: false,
          parallel: false,
        }),
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify, parallel: false }),
      ],
      splitChunks: {
        chunks: ({ name }) => name !== "theme" && name !== "charts",
        // Each chunk has a reason here: more of them, and a phone on a slow line waits for each.
        cacheGroups: {
          default: false,
          defaultVendors: false,
          // Changes with versions only: cached across deployments.
          vendor: { test: /node_modules/, name: "vendor", chunks: "initial", enforce: true },
          table: {
            test: drawnBy(TABLE),
            name: "table",
            chunks: isLazy,
            priority: 3,
            enforce: true,
          },
          panels: {
            test: drawnBy(PANELS),
            name: "panels",
            chunks: isLazy,
            priority: 2,
            enforce: true,
          },
          shared: {
            test: SHARED,
            name: "shared",
            chunks: isPage,
            minChunks: 4,
            priority: 1,
            enforce: true,
          },
          // What the station draws of other features.
          beside: {
            test: /src.features.(?!stow)/,
            name: "stow-beside",
            chunks: ({ name }) => name === "stow",
            enforce: true,
          },
          parts: {
            chunks: isPart,
            name: (module) => `${folderOf(module)}-parts`,
            enforce: true,
          },
        },
      },
    },
    // CI builds once: to keep what was built for the next time is an eighth of that.
    cache: process.env.CI
      ? { type: "memory" }
      : {
          type: "filesystem",
          cacheDirectory: path.join(__dirname, ".cache/webpack"),
          buildDependencies: { config: [__filename] },
        },
    performance: { hints: false }, // checkBundle.mjs measures what is sent, compressed
    stats: production ? "errors-warnings" : { preset: "errors-warnings", timings: true },
  };
};
