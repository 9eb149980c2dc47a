import { invalid } from '#lib/errors.ts';
import { isSlug } from '#lib/slug.ts';

const NAME_CHARACTERS_MAX = 64;

/** The fields that are given, trimmed. Throws Invalid. */
export function checkTeam<Fields extends { slug?: string; name?: string }>(fields: Fields): Fields {
  const checked = { ...fields };
  if (fields.slug !== undefined && !isSlug(fields.slug)) {
    throw invalid(
      'Use lower-case letters, digits, "-" and "_" for the slug, at most 50, a letter or digit first, and not digits only',
      'slug',
    );
  }
  if (fields.name !== undefined) {
    checked.name = fields.name.trim();
    if (checked.name === '' || checked.name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(checked.name)) {
      throw invalid(`Give the team a name of at most ${NAME_CHARACTERS_MAX} characters`, 'name');
    }
  }
  return checked;
}
