import { Field } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';

/** Chooses one of the own organizations; nothing to choose with a single one. */
export function OrganizationField({
  id,
  organizations,
}: {
  id: string;
  organizations: readonly { slug: string; name: string }[];
}) {
  const first = organizations[0]?.slug ?? '';
  if (organizations.length <= 1) return <input type="hidden" name="organization" value={first} />;
  return (
    <Field id={id} label="Organization">
      <Select
        id={id}
        name="organization"
        look="field"
        options={organizations.map(({ slug, name }) => ({ value: slug, label: name }))}
        defaultValue={first}
      />
    </Field>
  );
}
