export { actIn, demoLogin, login, register } from "./entry";
export { NewPasswordField } from "./NewPasswordField";
export { SignInAgain } from "./parts";
export { knowsPasskeys, makePasskey } from "./passkeys";
export { roleWords } from "./roles";
export { newPasswordRule } from "./rules";
export {
  currentUser,
  endSession,
  followOtherTabs,
  logout,
  onSession,
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
