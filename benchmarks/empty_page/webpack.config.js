// The product's own configuration with one other entry and one other place to write to.
const path = require("node:path");
const productConfig = require("../../frontend/webpack.config.js");

module.exports = (env, argv) => {
  const config = productConfig(env, argv);
  const [typescript, ...rules] = config.module.rules;
  return {
    ...config,
    entry: { ...config.entry, main: path.join(__dirname, "main.tsx") },
    output: { ...config.output, path: env.out, clean: false },
    module: { rules: [{ ...typescript, include: [typescript.include, __dirname] }, ...rules] },
    // An empty page has nothing to do without a server.
    plugins: config.plugins.filter((plugin) => plugin.constructor.name !== "InjectManifest"),
    cache: false,
  };
};
