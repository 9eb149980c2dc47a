import { expect, test } from 'vitest';
import { parseBackupBucket } from './backup-settings.ts';

test('a bucket is named by its address, and everything else is a folder', () => {
  expect(parseBackupBucket('s3://backups/errata?region=eu-central-1')).toMatchObject({
    bucket: 'backups',
    prefix: 'errata/',
    region: 'eu-central-1',
  });
  for (const folder of ['/var/backups/errata', 'backups', '/s3:/backups'])
    expect(parseBackupBucket(folder)).toBeNull();
});

test.each(['s3://B', 's3:backups', 's3://key:secret@backups/errata', 's3://backups/../x?endpoint=none'])(
  'the address %s is refused, with the field',
  (address) => {
    expect(() => parseBackupBucket(address)).toThrow(
      expect.objectContaining({ code: 'invalid', field: 'folder' }),
    );
  },
);
