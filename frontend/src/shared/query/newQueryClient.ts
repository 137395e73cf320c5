import type { QueryClient } from "@tanstack/react-query";
import { createQueryClient } from "@/shared/api/queryClient";
import { offerSignIn } from "@/shared/ui/offerSignIn";
import { tellFailure } from "@/shared/ui/tellFailure";

/** The query cache of the product, and of the tests: failures are shown, and signing in is offered. */
export const newQueryClient = (): QueryClient => createQueryClient(tellFailure, offerSignIn);
