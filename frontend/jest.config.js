const common = {
  rootDir: __dirname,
  testEnvironment: "<rootDir>/jest.environment.js",
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
};
const setup = "<rootDir>/src/shared/testing/setup.ts";

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  // A busy machine is slow, not wrong.
  testTimeout: 120000,
  randomize: true,
  projects: [
    { ...common, testMatch: ["<rootDir>/**/*.test.ts"], setupFilesAfterEnv: [setup] },
    {
      ...common,
      testMatch: ["<rootDir>/**/*.test.tsx"],
      setupFilesAfterEnv: [
        setup,
        "<rootDir>/src/shared/testing/rendering.ts",
        "<rootDir>/src/app/testing/jobKinds.ts",
      ],
    },
  ],
};
