import type { WebServices } from '#storage/ports/stores.ts';
import { listUserOrganizations } from './list-user-organizations.ts';

/** What anybody may know about a user, and a password must therefore not consist of. */
export async function findOwnWords(
  stores: WebServices,
  user: { id: string; email: string; name: string },
): Promise<readonly string[]> {
  const organizations = await listUserOrganizations({ stores }, user.id);
  return [user.email, user.name, ...organizations.flatMap(({ name, slug }) => [name, slug])];
}
