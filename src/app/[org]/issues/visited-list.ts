'use client';

/** The list of issues that one came from: kept for this tab, so that an issue leads to the next one of it. */
export type VisitedList = {
  /** Its address. */
  href: string;
  /** The issues of its page in their order: short id and address. */
  issues: readonly { shortId: string; href: string }[];
  /** Whether another page follows. */
  hasNext: boolean;
};

const keyOf = (organizationSlug: string): string => `errata.issue-list.${organizationSlug}`;

export function keepVisitedList(organizationSlug: string, list: VisitedList): void {
  try {
    sessionStorage.setItem(keyOf(organizationSlug), JSON.stringify(list));
  } catch {
    // Storage may be full or forbidden; then an issue has no neighbors.
  }
}

/** null when none was visited in this tab. */
export function readVisitedList(organizationSlug: string): VisitedList | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(organizationSlug)) ?? 'null');
  } catch {
    return null;
  }
}
