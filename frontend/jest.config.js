/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: "<rootDir>/jest.environment.js",
  testMatch: ["<rootDir>/**/*.test.ts", "<rootDir>/**/*.test.tsx"],
  setupFilesAfterEnv: [
    "<rootDir>/src/shared/testing/setup.ts",
    "<rootDir>/src/app/testing/jobKinds.ts",
  ],
  moduleNameMapper: {
    "^@/(.*)$": "<rootDir>/src/$1",
    "\\.css$": "<rootDir>/src/shared/testing/emptyStyle.ts",
  },
  transform: {
    "^.+\\.(t|j)sx?$": [
      "@swc/jest",
      {
        jsc: {
          parser: { syntax: "typescript", tsx: true },
          transform: { react: { runtime: "automatic" } },
          target: "es2022",
        },
      },
    ],
  },
  // These come as ES modules only.
  transformIgnorePatterns: ["/node_modules/(?!(@tanstack|qr)/)"],
  maxWorkers: 2,
  // A busy machine is slow, not wrong.
  testTimeout: 30000,
  randomize: true,
};
