/** The connection to a store, its calls of today, and the rule that prices are made by. */
import type { Schema } from "@/shared/api/wire";

export type ConnectionState = Schema<"MarketplaceConnectionState">;

export type Connection = Schema<"ConnectionRow">;

/** What one of the stores has of a lot of the stock. */
export type LotInChannel = Schema<"LotInChannel">;

export type Secrets = Schema<"SecretsWriteRequest">;

export type PriceRule = Schema<"PriceRuleRow">;
