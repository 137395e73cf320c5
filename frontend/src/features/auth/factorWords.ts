/** Where the code comes from, by what the account has. */
export const codeHint = (methods: readonly string[]): string =>
  methods.includes("code")
    ? "Of your authenticator app, or one of your recovery codes."
    : "One of your recovery codes.";
