/** Registers the kinds of jobs for each test file, as main.tsx does for the app. */
import { registerJobKinds } from "@/shared/api/jobKinds";
import { jobKinds } from "../jobKinds";

registerJobKinds(...jobKinds);
