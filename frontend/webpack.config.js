// The browser bundle: hashed chunks in /static, a manifest for the one Django template, and
// a theme script apart, which blocks for a few hundred bytes so that no page flashes.
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");
const { promisify } = require("node:util");
const CssMinimizerPlugin = require("css-minimizer-webpack-plugin");
const MiniCssExtractPlugin = require("mini-css-extract-plugin");
const TerserPlugin = require("terser-webpack-plugin");
const { Compilation, sources } = require("webpack");

const root = path.resolve(__dirname, "..");
const source = path.join(__dirname, "src");
/** The folders whose parts lie in one chunk each. */
const FOLDER = /\/src\/(?:features\/|shared\/)?(table\/editing|[^/]+)\//;

/** Writes manifest.json: {theme, js, css}, the files of the first load in their order. */
class TemplateManifestPlugin {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap("TemplateManifest", (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: "TemplateManifest", stage }, () => {
        const filesOf = (name, suffix) =>
          compilation.entrypoints
            .get(name)
            .getFiles()
            .filter((file) => file.endsWith(suffix));
        const manifest = {
          theme: filesOf("theme", ".js")[0],
          js: filesOf("main", ".js"),
          css: filesOf("main", ".css"),
        };
        const text = `${JSON.stringify(manifest, null, 2)}\n`;
        compilation.emitAsset("manifest.json", new sources.RawSource(text));
      });
    });
  }
}

/** Writes .cache/chunks.json: which files each page and each entry needs, for checkBundle.mjs. */
class ChunkListPlugin {
  apply(compiler) {
    compiler.hooks.done.tap("ChunkList", ({ compilation }) => {
      const groups = [...compilation.namedChunkGroups].map(([name, group]) => [
        name,
        group.getFiles().filter((file) => /\.(js|css)$/.test(file)),
      ]);
      const cache = path.join(__dirname, ".cache");
      fs.mkdirSync(cache, { recursive: true });
      fs.writeFileSync(
        path.join(cache, "chunks.json"),
        JSON.stringify(Object.fromEntries(groups), null, 2),
      );
    });
  }
}

/**
 * Puts what a folder loads later (dialogs, panels) into one chunk, `batches-parts`: a page is one
 * file, and one more when the first dialog opens.
 */
class PartsByFolderPlugin {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap("PartsByFolder", (compilation) => {
      // Before splitChunks, which then takes out what several of them share.
      compilation.hooks.optimizeChunks.tap("PartsByFolder", () => {
        const { chunkGraph } = compilation;
        const parts = new Map();
        for (const chunk of [...compilation.chunks]) {
          const [module] = chunkGraph.getChunkRootModules(chunk);
          const [, folder] = FOLDER.exec(module?.nameForCondition() ?? "") ?? [];
          if (chunk.name || chunk.canBeInitial() || !folder) continue;
          const first = parts.get(folder);
          if (!first) parts.set(folder, chunk);
          else if (chunkGraph.canChunksBeIntegrated(first, chunk)) {
            chunkGraph.integrateChunks(first, chunk);
            compilation.chunks.delete(chunk);
          }
        }
        for (const [folder, chunk] of parts) chunk.name = `${folder.replaceAll("/", "-")}-parts`;
      });
    });
  }
}

/** Writes file.br and file.gz beside what is worth it; the server only has to send them. */
class PrecompressPlugin {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap("Precompress", (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER;
      compilation.hooks.processAssets.tapPromise({ name: "Precompress", stage }, async (assets) => {
        const gzip = promisify(zlib.gzip);
        const brotli = promisify(zlib.brotliCompress);
        const names = Object.keys(assets).filter((name) => /\.(js|css|svg)$/.test(name));
        await Promise.all(
          names.map(async (name) => {
            const content = assets[name].buffer();
            if (content.length < 1024) return;
            const [gz, br] = await Promise.all([gzip(content, { level: 9 }), brotli(content)]);
            compilation.emitAsset(`${name}.gz`, new sources.RawSource(gz));
            compilation.emitAsset(`${name}.br`, new sources.RawSource(br));
          }),
        );
      });
    });
  }
}

module.exports = (_env, { mode = "production" }) => {
  const production = mode === "production";
  return {
    mode,
    context: root,
    target: ["web", "es2022"],
    entry: {
      // Without a runtime of its own: it runs before anything else is there.
      theme: { import: path.join(source, "app/themeBoot.ts"), runtime: false },
      main: { import: path.join(source, "app/main.tsx"), runtime: "runtime" },
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
      new TemplateManifestPlugin(),
      new PartsByFolderPlugin(),
      ...(production ? [new ChunkListPlugin(), new PrecompressPlugin()] : []),
    ],
    optimization: {
      minimizer: [
        new TerserPlugin({ minify: TerserPlugin.swcMinify, extractComments: false }),
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
      ],
      splitChunks: {
        chunks: ({ name }) => name !== "theme" && name !== "charts",
        cacheGroups: {
          // React and the router change with their versions only: cached across deployments.
          react: {
            test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/,
            name: "react",
            chunks: "initial",
            priority: 20,
          },
        },
      },
    },
    cache: {
      type: "filesystem",
      cacheDirectory: path.join(__dirname, ".cache/webpack"),
      buildDependencies: { config: [__filename] },
    },
    performance: { hints: false }, // checkBundle.mjs measures what is sent, compressed
    stats: production ? "errors-warnings" : { preset: "errors-warnings", timings: true },
  };
};
