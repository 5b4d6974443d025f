import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { errorText } from '@/api/error'
import { Loaded } from '@/api/Loaded'
import {
  useDeleteWebhookMutation,
  useGetWebhookQuery,
  useRotateWebhookSecretMutation,
  useTestWebhookMutation,
  useUpdateWebhookMutation,
  type Webhook,
} from '@/api/settings'
import type { Outcome } from '@/forms'
import { paths } from '@/routes/paths'
import { Box, Button, ConfirmDialog, Flex, Panel, Skeleton, Stack, Text } from '@/ui'
import { formatMoment } from '@/ui/format'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { BackLink } from '@/ui/links'
import { EmptyMessage, Notice } from '@/ui/messages'
import { Part } from '@/ui/Part'
import { toaster } from '@/ui/toaster'
import { Deliveries, useDeliveries } from './Deliveries'
import { OnOff } from './OnOff'
import { Result } from './Result'
import { valuesOf, type WebhookRequest } from './rules'
import { SecretOnce } from './SecretOnce'
import { Selection } from './Selection'
import { FORMATS, nameOf, OFF, textOf } from './texts'
import { WebhookForm } from './WebhookForm'

/** A webhook with what it has sent. */
export function WebhookView({ webhookId }: { webhookId: string }) {
  const query = useGetWebhookQuery({ id: webhookId }, { refetchOnMountOrArgChange: true })
  const webhook = query.currentData?.data
  usePageTitle(webhook ? nameOf(webhook) : t`Webhook`)
  return (
    <Stack gap="0" maxW="4xl">
      <Box>
        <BackLink to={paths.webhooks}>{t`All webhooks`}</BackLink>
      </Box>
      <Loaded
        query={query}
        title={t`Webhook`}
        skeleton={<Skeleton h="64" role="status" aria-label={t`Loading...`} />}
        missing={<EmptyMessage title={t`There is no such webhook.`} />}
      >
        {(webhook) => <Shown webhook={webhook} />}
      </Loaded>
    </Stack>
  )
}

function Shown({ webhook }: { webhook: Webhook }) {
  const [update] = useUpdateWebhookMutation()
  const [editing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { _id, url, format, filter, enabled } = webhook
  const save = async ({ url, description, filter }: WebhookRequest): Promise<Outcome> => {
    const { error } = await update({ id: _id, webhookUpdate: { url, description, filter } })
    if (error) return { error }
    setEditing(false)
    return { message: t`Webhook changed` }
  }
  return (
    <Stack gap="6">
      <Flex align="center" gap="3" wrap="wrap">
        <PageHeading>{nameOf(webhook)}</PageHeading>
        <OnOff enabled={enabled} />
      </Flex>
      <SwitchedOff webhook={webhook} />
      {secret && <SecretOnce secret={secret} onClose={() => setSecret(null)} />}
      <Panel p="5">
        {editing ? (
          <WebhookForm
            label={t`Edit webhook`}
            button={t`Save`}
            defaultValues={valuesOf(webhook)}
            send={save}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <Stack gap="4">
            <Stack gap="1">
              <Text>{url}</Text>
              <Text textStyle="sm" color="fg.muted">
                {textOf(FORMATS, format)}
              </Text>
              <Selection filter={filter} />
            </Stack>
            <Flex gap="3" wrap="wrap">
              <Button size="sm" variant="outline" onClick={() => setEditing(true)}>{t`Change`}</Button>
              {format === 'json' && <Rotate webhook={webhook} onSecret={setSecret} />}
              {enabled && <SwitchOff webhook={webhook} />}
              <Delete webhook={webhook} />
            </Flex>
            <BothSecrets webhook={webhook} />
          </Stack>
        )}
      </Panel>
      <Part spaced title={t`Test`}>
        <Test webhook={webhook} />
      </Part>
      <Part spaced title={t`The last 100 deliveries`}>
        <Deliveries webhookId={_id} enabled={enabled} />
      </Part>
    </Stack>
  )
}

/** Says why a webhook is off, and switches it on again. */
function SwitchedOff({ webhook: { _id, enabled, offReason } }: { webhook: Webhook }) {
  const [update, { isLoading }] = useUpdateWebhookMutation()
  if (enabled) return null
  const switchOn = async () => {
    const { error } = await update({ id: _id, webhookUpdate: { enabled: true } })
    if (error) toaster.error({ title: errorText(error, t`Failed to save the webhook`) })
    else toaster.success({ title: t`Webhook switched on` })
  }
  return (
    <Notice
      status="warning"
      title={t`This webhook is off, and nothing is sent.`}
      description={offReason && textOf(OFF, offReason)}
    >
      <Button size="sm" variant="outline" loading={isLoading} onClick={switchOn}>{t`Switch on again`}</Button>
    </Notice>
  )
}

function SwitchOff({ webhook: { _id } }: { webhook: Webhook }) {
  const [update, { isLoading }] = useUpdateWebhookMutation()
  const switchOff = async () => {
    const { error } = await update({ id: _id, webhookUpdate: { enabled: false } })
    if (error) toaster.error({ title: errorText(error, t`Failed to save the webhook`) })
  }
  return <Button size="sm" variant="outline" loading={isLoading} onClick={switchOff}>{t`Switch off`}</Button>
}

function Rotate({ webhook: { _id }, onSecret }: { webhook: Webhook; onSecret: (secret: string) => void }) {
  const [rotateSecret] = useRotateWebhookSecretMutation()
  const rotate = async () => {
    const { data, error } = await rotateSecret({ id: _id })
    if (data?.data.secret) onSecret(data.data.secret)
    else toaster.error({ title: errorText(error, t`Failed to replace the secret`) })
  }
  return (
    <ConfirmDialog
      trigger={<Button size="sm" variant="outline">{t`Replace the secret`}</Button>}
      title={t`Replace the secret?`}
      confirm={t`Replace`}
      colorPalette="brand"
      onConfirm={rotate}
    >
      <Trans>
        You get a new secret. For 24 hours events are signed with both, so that you can update your program. If you
        replace it again within that time, the oldest one ends.
      </Trans>
    </ConfirmDialog>
  )
}

function BothSecrets({ webhook: { previousSecretUntil } }: { webhook: Webhook }) {
  if (!previousSecretUntil) return null
  return (
    <Text textStyle="sm" color="fg.muted">
      <Trans>The previous secret also stays valid until {formatMoment(previousSecretUntil)}.</Trans>
    </Text>
  )
}

function Delete({ webhook }: { webhook: Webhook }) {
  const [deleteWebhook] = useDeleteWebhookMutation()
  const navigate = useNavigate()
  const remove = async () => {
    const { error } = await deleteWebhook({ id: webhook._id })
    if (error) {
      toaster.error({ title: errorText(error, t`Failed to delete the webhook`) })
      return
    }
    toaster.success({ title: t`Webhook deleted` })
    navigate(paths.webhooks)
  }
  return (
    <ConfirmDialog
      trigger={<Button size="sm" variant="outline" colorPalette="red">{t`Delete`}</Button>}
      title={t`Delete ${nameOf(webhook)}?`}
      confirm={t`Delete`}
      onConfirm={remove}
    >
      <Trans>Nothing is sent any more, and its deliveries are deleted, too.</Trans>
    </ConfirmDialog>
  )
}

/** Sends a test, and shows what becomes of it. */
function Test({ webhook: { _id, enabled } }: { webhook: Webhook }) {
  const [test, { data, isLoading }] = useTestWebhookMutation()
  const { currentData } = useDeliveries(_id)
  const sent = data && (currentData?.data.find((delivery) => delivery._id === data.data._id) ?? data.data)
  const send = async () => {
    const { error } = await test({ id: _id })
    if (error) toaster.error({ title: errorText(error, t`The test could not be sent`) })
  }
  return (
    <Flex align="center" gap="4" wrap="wrap">
      <Button size="sm" variant="outline" disabled={!enabled} loading={isLoading} onClick={send}>
        <Trans>Send a test</Trans>
      </Button>
      <Flex role="status" align="center" gap="2" wrap="wrap">
        {sent && (
          <>
            <Trans>The test:</Trans> <Result delivery={sent} />
          </>
        )}
      </Flex>
    </Flex>
  )
}
