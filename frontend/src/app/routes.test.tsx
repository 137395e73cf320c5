import { matchRoutes } from "react-router-dom";
import { paths } from "@/shared/lib/paths";
import { routes } from "./routes";

const matched = (address: string) => matchRoutes(routes, address)?.at(-1)?.route.path;

describe("the routes", () => {
  it.each(Object.values(paths))("know %s", (path) => {
    expect(matched(path)).toBe(path);
  });

  it.each(["/Signin", "/SIGNUP", "/APP/home", "/app/Home", "/app/usersets", "/App"])(
    "take %s for any other path, which redirects",
    (address) => {
      expect(matched(address)).toBe("*");
    },
  );
});
