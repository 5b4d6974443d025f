import { t } from '@lingui/core/macro'
import { ShownOnce } from '../ShownOnce'

/** The secret that signs what a webhook sends, after it was made. */
export function SecretOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title={t`The secret of your webhook`}
      warning={t`Copy it now: it is shown only once. With it your program checks that an event comes from this site.`}
      secret={secret}
      copyLabel={t`Copy the secret`}
      onClose={onClose}
    />
  )
}
