// Who may import whom (style 6.3). Paths are relative to frontend/.
const below = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { path: from, pathNot: "\\.test\\.tsx?$|/testing/" },
  to: { path: to },
});

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "nothing-unresolved",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    below(
      "lib-stands-alone",
      "shared/lib is pure: it knows no component, no network, no store",
      "^src/shared/lib/",
      "^src/(shared/(ui|form|table|api|store)|features|app)/",
    ),
    below(
      "ui-knows-only-lib",
      "shared/ui draws what it is given",
      "^src/shared/ui/",
      "^src/(shared/(form|table|api|store)|features|app)/",
    ),
    below(
      "form-and-table-know-ui-and-lib",
      "shared/form and shared/table take data and callbacks: no network, no store, not each other",
      "^src/shared/(form|table)/",
      "^src/(shared/(api|store)|features|app)/",
    ),
    below(
      "form-and-table-are-siblings",
      "neither imports the other",
      "^src/shared/(form|table)/",
      "^src/shared/(?!$1/)(form|table)/",
    ),
    below(
      "api-and-store-know-only-lib",
      "shared/api and shared/store draw nothing",
      "^src/shared/(api|store)/",
      "^src/(shared/(ui|form|table)|features|app)/",
    ),
    {
      name: "shared-below-features",
      comment: "shared never reaches up, what serves its tests included",
      severity: "error",
      from: { path: "^src/shared/testing/" },
      to: { path: "^src/(features|app)/" },
    },
    below("features-below-app", "app composes features", "^src/features/", "^src/app/"),
    {
      name: "features-meet-at-public",
      comment: "a feature imports another one's public.ts and nothing else of it",
      severity: "error",
      from: { path: "^src/features/([^/]+)/", pathNot: "\\.test\\.tsx?$|/testing/" },
      to: { path: "^src/features/(?!$1/)[^/]+/(?!public\\.ts$)" },
    },
    {
      name: "tests-meet-at-public-or-testing",
      comment: "a test may also use what another feature offers to tests",
      severity: "error",
      from: { path: "^src/features/([^/]+)/(testing/|.*\\.test\\.tsx?$)" },
      to: { path: "^src/features/(?!$1/)[^/]+/(?!public\\.ts$|testing/)" },
    },
    {
      name: "app-uses-features-at-public",
      severity: "error",
      from: { path: "^src/app/" },
      to: { path: "^src/features/[^/]+/(?!public\\.ts$|jobs\\.ts$|[A-Za-z]+Page\\.tsx$)" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: `${__dirname}/tsconfig.json` },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js"],
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "types"],
    },
  },
};
