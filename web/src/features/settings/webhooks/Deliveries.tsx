import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { errorText } from '@/api/error'
import { Listing } from '@/api/Listing'
import { useListWebhookDeliveriesQuery, useSendWebhookDeliveryMutation, type WebhookDelivery } from '@/api/settings'
import { Box, Button, type Column, DataTable } from '@/ui'
import { formatMoment } from '@/ui/format'
import { EmptyMessage } from '@/ui/messages'
import { toaster } from '@/ui/toaster'
import { Result } from './Result'

const ASK_AGAIN_MS = 2000
// A delivery that is tried within this time is waited for.
const SOON_MS = 15_000

const isDueSoon = ({ state, nextTryAt }: WebhookDelivery) =>
  state === 'waiting' && (nextTryAt === null || new Date(nextTryAt).getTime() - Date.now() < SOON_MS)

/** Returns the last deliveries of a webhook. They are asked for again while one is about to be tried. */
export function useDeliveries(webhookId: string) {
  const asked = { id: webhookId }
  const { currentData: known } = useListWebhookDeliveriesQuery(asked)
  return useListWebhookDeliveriesQuery(asked, {
    refetchOnMountOrArgChange: true,
    pollingInterval: known?.data.some(isDueSoon) ? ASK_AGAIN_MS : 0,
    skipPollingIfUnfocused: true,
  })
}

interface Props {
  webhookId: string
  /** One that is off sends nothing. */
  enabled: boolean
}

/** The last deliveries of a webhook, the newest first. */
export function Deliveries({ webhookId, enabled }: Props) {
  const query = useDeliveries(webhookId)
  return (
    <Listing query={query} empty={<EmptyMessage title={t`Nothing has been sent yet.`} />}>
      {(deliveries) => (
        <DataTable
          label={t`Deliveries`}
          columns={columns}
          rows={deliveries}
          idOf={({ _id }) => _id}
          skeletonRows={5}
          rowHeight="4rem"
          actions={(delivery) => <SendAgain webhookId={webhookId} delivery={delivery} disabled={!enabled} />}
        />
      )}
    </Listing>
  )
}

interface SendAgainProps {
  webhookId: string
  delivery: WebhookDelivery
  disabled: boolean
}

function SendAgain({ webhookId, delivery, disabled }: SendAgainProps) {
  const [send, { isLoading }] = useSendWebhookDeliveryMutation()
  const sendAgain = async () => {
    const { error } = await send({ id: webhookId, delivery: delivery._id })
    if (error) toaster.error({ title: errorText(error, t`The delivery could not be sent again`) })
    else toaster.success({ title: t`It will be sent again.` })
  }
  const at = formatMoment(delivery.createdAt)
  return (
    <Button
      size="xs"
      variant="outline"
      disabled={disabled}
      loading={isLoading}
      aria-label={t`Send the delivery of ${at} again`}
      onClick={sendAgain}
    >
      <Trans>Send again</Trans>
    </Button>
  )
}

const columns: Column<WebhookDelivery>[] = [
  {
    header: msg`When`,
    width: '8rem',
    // The date has one line, and the time another one.
    cell: ({ createdAt }) => (
      <Box minW="5.75rem">
        <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
      </Box>
    ),
  },
  {
    header: msg`Event`,
    width: '6rem',
    hideBelow: 'sm',
    cell: ({ type }) => (
      <Box as="span" whiteSpace="nowrap">
        {type}
      </Box>
    ),
  },
  { header: msg`Result`, width: '8rem', cell: (delivery) => <Result delivery={delivery} /> },
  { header: msg`Attempts`, width: '2rem', align: 'end', hideBelow: 'sm', cell: ({ tries }) => tries },
]
