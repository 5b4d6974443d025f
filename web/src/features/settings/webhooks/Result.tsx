import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { WebhookDelivery, WebhookState } from '@/api/settings'
import { Badge, Box, Flex, Text } from '@/ui'
import { formatMoment } from '@/ui/format'
import { FAILURES } from './texts'

const STATES: Record<WebhookState, { text: MessageDescriptor; colorPalette: 'green' | 'red' | 'gray' }> = {
  delivered: { text: msg`Delivered`, colorPalette: 'green' },
  failed: { text: msg`Failed`, colorPalette: 'red' },
  waiting: { text: msg`Waiting`, colorPalette: 'gray' },
}

/** What became of a delivery, with the receiver's status and the reason of a failure. */
export function Result({ delivery }: { delivery: WebhookDelivery }) {
  const { state, status, tries, failure, nextTryAt } = delivery
  const { text, colorPalette } = STATES[state]
  return (
    <Box>
      <Flex align="center" gap="2" wrap="wrap">
        <Badge colorPalette={colorPalette}>{i18n._(text)}</Badge>
        {status !== null && <span>{t`Status ${status}`}</span>}
      </Flex>
      {failure && state !== 'delivered' && <Text textStyle="xs">{i18n._(FAILURES[failure])}</Text>}
      {state === 'waiting' && tries > 0 && nextTryAt && (
        <Text textStyle="xs">
          <Trans>It is tried again on {formatMoment(new Date(nextTryAt))}.</Trans>
        </Text>
      )}
    </Box>
  )
}
