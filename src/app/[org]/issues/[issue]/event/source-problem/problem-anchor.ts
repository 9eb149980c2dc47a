/** Id of the place in the page where a reason is told in full. */
export const problemAnchor = (reason: string): string => `no-source-${reason.replaceAll('_', '-')}`;
