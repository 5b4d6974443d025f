import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, Text } from '@/ui'
import { CopyLines } from '@/ui/more/CopyLines'
import { Part } from '@/ui/Part'

/** How a program uses a token. */
export function Example() {
  const command = `curl -H "Authorization: Bearer $token" ${location.origin}/api/v1/inbox/count`
  return (
    <Part spaced title={t`How to use a token`}>
      <Text color="fg.muted">
        <Trans>
          Send it in the header, never in an address: a token in an address is refused. A token cannot be used for
          logging in, roles, the moderators' desk or managing tokens. It has its own limit of requests, which each
          response states.
        </Trans>
      </Text>
      <CopyLines label={t`Example`} copyLabel={t`Copy the example`}>
        {command}
      </CopyLines>
      <Text>
        <Link href="/api/v1/docs" variant="underline" colorPalette="brand" color="colorPalette.fg">
          <Trans>The API documentation lists every call, and lets you try each of them.</Trans>
        </Link>
      </Text>
    </Part>
  )
}
