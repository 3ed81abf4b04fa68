/** How often who may do what (docs/decisions/0060). */

/** Requests without a good signature, by address. */
export const STRANGERS = { rate_per_s: 20, burst: 100 };
/** Directories, nonces and renewal windows, which need no signature, by address: a thousand hosts may be behind one. */
export const READS = { rate_per_s: 100, burst: 1000 };
/** Signed requests, by account. */
export const REQUESTS = { rate_per_s: 20, burst: 200 };
/** New accounts, by token. */
export const ACCOUNTS = { rate_per_s: 0.1, burst: 20 };
/** New orders, by account. */
export const ORDERS = { rate_per_s: 1, burst: 100 };
/** Answers to challenges, by account and name: each makes a node fetch something. */
export const ANSWERS = { rate_per_s: 0.1, burst: 20 };

/** Orders of an account that are kept at the same time. */
export const MOST_ORDERS = 1000;
/** Names in one order, as in one certificate. */
export const MOST_NAMES = 100;
export const MOST_CONTACTS = 10;

/** An order that is not finalised by then is void, and so is what it was authorized by. */
export const ORDER_LIFE_MS = 8 * 3600 * 1000;
/** An authorization is used for another order if it is good for so long at least. */
export const REUSED_BEFORE_END_MS = 3600 * 1000;
/** Orders and authorizations are forgotten so long after they ended. */
export const KEPT_MS = 24 * 3600 * 1000;
