/** `user:<id>` or `team:<number>`, as Sentry's clients write an owner; null for anything else. */
export function readOwner(text: string): { userId: string | null; teamId: number | null } | null {
  const [, kind, id] = /^(user|team):(.{1,128})$/.exec(text) ?? [];
  if (kind === 'user' && id !== undefined) return { userId: id, teamId: null };
  return kind === 'team' && /^\d{1,15}$/.test(id ?? '') ? { userId: null, teamId: Number(id) } : null;
}
