export { NewPasswordField } from "./NewPasswordField";
export { SignInAgain } from "./parts";
export { roleWords } from "./roles";
export { newPasswordRule } from "./rules";
export {
  actIn,
  currentUser,
  demoLogin,
  endSession,
  followOtherTabs,
  login,
  logout,
  onSession,
  register,
  renewRole,
  seatOf,
  setUser,
  type User,
  useEntryError,
  useSession,
  useUser,
} from "./session";
export { useRefreshCycle } from "./useRefreshCycle";
export { useWeakness } from "./weakness";
