export { NewPasswordField } from "./NewPasswordField";
export { SignInAgain } from "./parts";
export { newPasswordRule } from "./rules";
export {
  currentUser,
  demoLogin,
  endSession,
  followOtherTabs,
  login,
  logout,
  onSession,
  register,
  setUser,
  type User,
  useEntryError,
  useSession,
  useUser,
} from "./session";
export { useRefreshCycle } from "./useRefreshCycle";
export { useWeakness } from "./weakness";
