// jsdom with the network's classes from Node, which it hides. fetch itself stays shut: a test that
// wants answers brings them (shared/testing/server.ts).
const { TestEnvironment } = require("jest-environment-jsdom");

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    const { global } = this;
    Object.assign(global, {
      Response,
      Headers,
      Request,
      TextEncoder,
      TextDecoder,
    });
    // jsdom's files are no files for Node, which would lose their contents.
    const { Blob, Object: Plain, Array: List } = global;
    global.structuredClone = (value) => {
      if (value instanceof Blob || typeof value !== "object" || value === null) return value;
      if (List.isArray(value)) return value.map(global.structuredClone);
      if (Plain.getPrototypeOf(value) !== Plain.prototype) return structuredClone(value);
      return Plain.fromEntries(
        Plain.entries(value).map(([name, one]) => [name, global.structuredClone(one)]),
      );
    };
    global.fetch = (address) => Promise.reject(new TypeError(`No network in tests: ${address}`));
  }
};
