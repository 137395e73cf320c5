// Runs alone and blocking in <head>, so that the first paint already has its colours. The stored
// choice counts for signed-in people only; the public side follows the system (spec 4).
import { applyTheme, startingTheme } from "@/shared/lib/theme";

applyTheme(startingTheme());
