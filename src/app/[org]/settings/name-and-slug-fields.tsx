import { TextField } from '#ui/field.tsx';

const SLUG_LENGTH_MAX = 50;

/** What an organization or a project is called, and what stands for it in addresses. */
export function NameAndSlugFields({
  state,
  nameLengthMax,
  slugHint,
  errorOf,
}: {
  state: { name: string; slug: string };
  nameLengthMax: number;
  slugHint: string;
  /** null when the field is as it should be. */
  errorOf: (field: string) => string | null;
}) {
  return (
    <>
      <TextField
        id="name"
        name="name"
        label="Name"
        defaultValue={state.name}
        error={errorOf('name')}
        maxLength={nameLengthMax}
        autoComplete="off"
        required
      />
      <TextField
        id="slug"
        name="slug"
        label="Slug"
        hint={slugHint}
        defaultValue={state.slug}
        error={errorOf('slug')}
        maxLength={SLUG_LENGTH_MAX}
        autoComplete="off"
        spellCheck={false}
        className="[&_input]:mono"
        required
      />
    </>
  );
}
