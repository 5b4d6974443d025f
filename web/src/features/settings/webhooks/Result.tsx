import { t } from '@lingui/core/macro'
import type { WebhookDelivery, WebhookState } from '@/api/settings'
import { Badge, Box, Flex, Text } from '@/ui'
import { formatMoment } from '@/ui/format'
import { FAILURES, STATES, textOf } from './texts'

const COLOURS: Record<WebhookState, 'green' | 'red' | 'gray'> = { delivered: 'green', failed: 'red', waiting: 'gray' }

/** What became of a delivery, with the receiver's status and the reason of a failure. */
export function Result({ delivery }: { delivery: WebhookDelivery }) {
  const { state, status, tries, failure, nextTryAt } = delivery
  return (
    <Box>
      <Flex align="center" gap="2" wrap="wrap">
        <Badge colorPalette={COLOURS[state] ?? 'gray'}>{textOf(STATES, state)}</Badge>
        {status !== null && <span>{t`Status ${status}`}</span>}
      </Flex>
      {failure && state !== 'delivered' && <Text textStyle="xs">{textOf(FAILURES, failure)}</Text>}
      {state === 'waiting' && tries > 0 && nextTryAt && (
        <Text textStyle="xs">{t`The next attempt is on ${formatMoment(nextTryAt)}.`}</Text>
      )}
    </Box>
  )
}
