import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Loaded } from '@/api/Loaded'
import { useCreateWebhookMutation, useListWebhooksQuery, type Webhook } from '@/api/settings'
import type { Outcome } from '@/forms'
import { paths } from '@/routes/paths'
import { Button, Flex, Panel, Skeleton, Stack, Text } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { PlusIcon } from '@/ui/icons'
import { PageLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { Part } from '@/ui/Part'
import { OnOff } from './OnOff'
import { Result } from './Result'
import { NEW_WEBHOOK, type WebhookRequest } from './rules'
import { SecretOnce } from './SecretOnce'
import { Selection } from './Selection'
import { FORMATS, hostOf, nameOf, textOf } from './texts'
import { WebhookForm } from './WebhookForm'

const MAX_WEBHOOKS = 5

/** The player's webhooks, and a form that makes one. */
export function Webhooks() {
  const query = useListWebhooksQuery(undefined, { refetchOnMountOrArgChange: true })
  return (
    <Loaded query={query} skeleton={<Skeleton h="64" role="status" aria-label={t`Loading...`} />}>
      {(webhooks) => <WebhookList webhooks={webhooks} />}
    </Loaded>
  )
}

function WebhookList({ webhooks }: { webhooks: Webhook[] }) {
  const [createWebhook] = useCreateWebhookMutation()
  const [adding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const full = webhooks.length >= MAX_WEBHOOKS
  const close = () => {
    setAdding(false)
    setSecret(null)
  }
  const send = async (webhookCreation: WebhookRequest): Promise<Outcome> => {
    const { data, error } = await createWebhook({ webhookCreation })
    if (!data) return { error }
    if (data.data.secret) {
      setAdding(false)
      setSecret(data.data.secret)
    } else close()
    return { message: t`Webhook created` }
  }
  return (
    <Part
      spaced
      title={t`Your webhooks`}
      aside={
        <Button size="sm" disabled={full || adding} onClick={() => setAdding(true)}>
          <PlusIcon size={4} /> <Trans>New webhook</Trans>
        </Button>
      }
    >
      <Text color="fg.muted">
        {full
          ? t`You have ${MAX_WEBHOOKS} webhooks, the maximum. Delete one to create another.`
          : plural(webhooks.length, {
              one: `You have # webhook, and may have up to ${MAX_WEBHOOKS}.`,
              other: `You have # webhooks, and may have up to ${MAX_WEBHOOKS}.`,
            })}
      </Text>
      {secret && <SecretOnce secret={secret} onClose={close} />}
      {adding && (
        <Panel p="5">
          <WebhookForm
            label={t`New webhook`}
            button={t`Create webhook`}
            defaultValues={NEW_WEBHOOK}
            isNew
            send={send}
            onCancel={close}
          />
        </Panel>
      )}
      {webhooks.length === 0 && !adding && (
        <EmptyMessage
          title={t`You have no webhooks.`}
          hint={t`With a webhook, new records appear in a Discord channel, or reach a program of yours.`}
        />
      )}
      {webhooks.length > 0 && (
        <Panel px="4">
          <DividedList aria-label={t`Webhooks`}>
            {webhooks.map((webhook) => (
              <WebhookItem key={webhook._id} webhook={webhook} />
            ))}
          </DividedList>
        </Panel>
      )}
    </Part>
  )
}

function WebhookItem({ webhook }: { webhook: Webhook }) {
  const { _id, url, format, enabled, filter, lastDelivery } = webhook
  return (
    <Stack as="li" gap="1" py="4">
      <Flex wrap="wrap" align="center" gap="3">
        <PageLink to={paths.webhook(_id)} fontWeight="semibold">
          {nameOf(webhook)}
        </PageLink>
        <OnOff enabled={enabled} />
      </Flex>
      <Text textStyle="sm">{`${hostOf(url)} · ${textOf(FORMATS, format)}`}</Text>
      <Selection filter={filter} />
      {lastDelivery && (
        <Flex textStyle="sm" gap="2" wrap="wrap">
          <Trans>Last delivery:</Trans> <Result delivery={lastDelivery} />
        </Flex>
      )}
    </Stack>
  )
}
