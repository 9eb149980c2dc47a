/** A first call with a new token, ready for a terminal: the unresolved issues, or who asks when it may not read them. */
export function tokenCommand({
  publicUrl,
  organizationSlug,
  scopes,
  token,
}: {
  /** Address of this instance, without a slash at its end. */
  publicUrl: string;
  organizationSlug: string;
  scopes: readonly string[];
  token: string;
}): string {
  const readsIssues = scopes.some((scope) => scope.startsWith('event:'));
  const path = readsIssues
    ? `organizations/${encodeURIComponent(organizationSlug)}/issues/?query=is:unresolved`
    : '';
  return `curl -H 'Authorization: Bearer ${token}' '${publicUrl}/api/0/${path}'`;
}
