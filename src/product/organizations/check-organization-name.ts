import { invalid, isErrataError } from '#lib/errors.ts';
import { checkOrganizationSlug } from '#product/accounts/check-organization-slug.ts';

const NAME_CHARACTERS_MAX = 100;

/** The name without space around it. Throws Invalid naming the field. */
export function checkOrganizationName(name: string): string {
  const checked = name.trim();
  if (checked === '' || checked.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(checked)) {
    throw invalid(`Use a name of 1 to ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  return checked;
}

/** As `checkOrganizationSlug`, for forms whose field is `slug`. */
export function checkNewSlug(slug: string): string {
  try {
    checkOrganizationSlug(slug);
    return slug;
  } catch (error) {
    throw isErrataError(error) ? invalid(error.message, 'slug') : error;
  }
}
