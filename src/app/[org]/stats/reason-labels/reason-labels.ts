/** What a reason means and what can be done about it, in sentences; `code` stands between backticks. */
export type ReasonLabels = { label: string; meaning: string; advice: string };

/** Words for the reasons of one outcome. */
export type WordsByReason = Readonly<Record<string, ReasonLabels>>;
