import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Flex, Link, styled, Text } from '@/ui'
import { CopyButton } from '@/ui/more/CopyButton'
import { Part } from '@/ui/Part'

/** How a program uses a token. */
export function Example() {
  const command = `curl -H "Authorization: Bearer $token" ${location.origin}/api/v1/inbox/count`
  return (
    <Part spaced title={t`How to use a token`}>
      <Text color="fg.muted">
        <Trans>
          Send it in the header, never in an address: a token in an address is refused. A token is not accepted for
          logging in, roles, the moderators' desk or tokens themselves. It has a limit of requests of its own, which
          each answer states.
        </Trans>
      </Text>
      <Flex align="flex-start" gap="2" borderWidth="1px" rounded="l2" bg="bg.muted" p="3">
        <Lines tabIndex={0} role="region" aria-label={t`Example`}>
          {command}
        </Lines>
        <CopyButton label={t`Copy the example`} text={command} />
      </Flex>
      <Text>
        <Link href="/api/v1/docs" variant="underline" colorPalette="brand" color="colorPalette.fg">
          <Trans>The API documentation lists every call, and lets you try each of them.</Trans>
        </Link>
      </Text>
    </Part>
  )
}

const Lines = styled('pre', {
  base: { flex: '1', minW: '0', overflowX: 'auto', fontFamily: 'mono', textStyle: 'sm', whiteSpace: 'pre-wrap' },
})
