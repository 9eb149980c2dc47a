import { fields } from '#app/forms/fields.ts';

export const FEEDBACK_FIELDS = fields({
  isEnabled: {
    kind: 'switch',
    label: 'Public feedback form',
    help: 'Anyone with the link can send a message, their name and email address, and a screenshot. Turning it off ends the link for good; turning it on again makes a new one.',
  },
});
