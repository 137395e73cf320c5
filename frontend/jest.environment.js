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
      structuredClone,
      TextEncoder,
      TextDecoder,
    });
    global.fetch = (address) => Promise.reject(new TypeError(`No network in tests: ${address}`));
  }
};
