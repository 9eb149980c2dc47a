/** Somebody whose name contains what was typed: the key of the page, and what else is known. */
export type SuggestedUser = { key: string; about: string };
