import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import * as v from 'valibot'
import {
  type Delivery,
  type InboxSetting,
  type NotificationKind,
  useGetInboxSettingsQuery,
  useUpdateInboxSettingsMutation,
} from '@/api'
import { Loaded } from '@/api/Loaded'
import { Form, type Outcome, SelectField, useForm, useSubmit } from '@/forms'
import { Box, Button, Grid, Skeleton, Text } from '@/ui'
import { Notice } from '@/ui/messages'
import { isKind, KINDS } from './sentences'
import { useBrowserPermission } from './useBrowserPermission'

type Values = Record<NotificationKind, Delivery>

const deliveries = (): Record<Delivery, string> => ({
  off: t`Off`,
  inbox: t`Inbox`,
  browser: t`Inbox and browser notification`,
})

const schema = () => v.record(v.string(), v.picklist(['off', 'inbox', 'browser']))

/** Where the player gets notifications of each kind. */
export function InboxSettings() {
  const query = useGetInboxSettingsQuery()
  return (
    <Loaded query={query} skeleton={<Skeleton h="96" role="status" aria-label={t`Loading...`} />}>
      {(settings) => <SettingsForm settings={settings.filter(({ kind }) => isKind(kind))} />}
    </Loaded>
  )
}

function SettingsForm({ settings }: { settings: InboxSetting[] }) {
  const [update] = useUpdateInboxSettingsMutation()
  const { permission, ask } = useBrowserPermission()
  // What is known to be stored. Another tab may change the other kinds.
  const [stored, setStored] = useState<Record<string, Delivery>>(() =>
    Object.fromEntries(settings.map(({ kind, delivery }) => [kind, delivery])),
  )
  const form = useForm<Values, Record<string, Delivery>>({ schema, defaultValues: stored as Values })
  const send = async (values: Record<string, Delivery>): Promise<Outcome> => {
    const changed = settings.flatMap(({ kind }) => {
      const delivery = values[kind]
      return delivery && delivery !== stored[kind] ? [{ kind, delivery }] : []
    })
    const { error } = await update({ inboxSettingsUpdate: { settings: changed } })
    if (error) return { error }
    setStored(values)
    return { message: t`Settings saved` }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to save the settings`,
    loginRequired: t`You must be logged in to change these settings`,
  })
  const inBrowser = Object.values(form.watch()).includes('browser')
  return (
    <Box maxW="4xl">
      <Form form={form} submission={submission} label={t`Notifications`} button={t`Save`}>
        <Text color="fg.muted">
          <Trans>
            A browser notification appears while the site is open in a tab that you are not looking at, for five minutes
            after you leave it.
          </Trans>
        </Text>
        <Grid gridTemplateColumns={{ base: '1fr', md: '1fr 1fr' }} gap="5">
          {settings.map(({ kind }) => (
            <SelectField
              key={kind}
              control={form.control}
              name={kind}
              label={i18n._(KINDS[kind])}
              choices={deliveries()}
              onChoose={(delivery) => delivery === 'browser' && void ask()}
            />
          ))}
        </Grid>
        {inBrowser && permission !== 'granted' && <NotShown permission={permission} onAsk={ask} />}
      </Form>
    </Box>
  )
}

/** States that this browser does not show notifications. */
function NotShown({ permission, onAsk }: { permission: string; onAsk: () => void }) {
  return (
    <Notice
      role="alert"
      status="warning"
      title={
        permission === 'unsupported'
          ? t`This browser cannot show notifications.`
          : permission === 'denied'
            ? t`This browser shows no notifications of this site. You can allow them in its settings.`
            : t`This browser has not been asked yet whether it may show notifications.`
      }
    >
      {permission === 'default' && (
        <Button size="sm" variant="outline" onClick={onAsk}>{t`Allow notifications`}</Button>
      )}
    </Notice>
  )
}
