import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import * as v from 'valibot'
import { useGetPlayerQuery } from '@/api'
import { Loaded } from '@/api/Loaded'
import { useGetOwnDeletionQuery, useScheduleOwnDeletionMutation } from '@/api/settings'
import { isSameName } from '@/entities/player/more/playerNames'
import { Form, type Outcome, TextField, useForm, useSubmit } from '@/forms'
import type { User } from '@/session/session'
import { useSession } from '@/store/hooks'
import { Box, Button, List, Name, Panel, Skeleton, Stack, Text } from '@/ui'
import { formatMoment } from '@/ui/format'
import { focusPage } from '@/ui/keptFocus'
import { Part } from '@/ui/Part'
import { TextWithNames } from '@/ui/TextWithNames'

/** Deletes the account, 14 days after the player has asked for it. */
export function Deletion() {
  const query = useGetOwnDeletionQuery(undefined, { refetchOnMountOrArgChange: true })
  const user = useSession()
  if (!user) return null
  return (
    <Part spaced title={t`Delete your account`}>
      <Loaded query={query} skeleton={<Skeleton h="48" role="status" aria-label={t`Loading...`} />}>
        {({ scheduledFor }) => (
          <Stack gap="4">
            <WhatHappens user={user} />
            {scheduledFor ? (
              <Text>
                <Trans>
                  You have asked for this. It happens on {formatMoment(scheduledFor)}, unless you keep your account with
                  the button above.
                </Trans>
              </Text>
            ) : (
              <Ask user={user} />
            )}
          </Stack>
        )}
      </Loaded>
    </Part>
  )
}

function WhatHappens({ user: { _id, name } }: { user: User }) {
  const { currentData } = useGetPlayerQuery({ id: _id })
  const end = _id.slice(-4)
  const player = currentData?.data
  return (
    <List.Root ps="5" gap="2" display="flex" flexDirection="column">
      <List.Item>{t`It happens 14 days after you ask for it. Until then you can change your mind.`}</List.Item>
      <List.Item>{t`Your name becomes “deleted player ${end}”.`}</List.Item>
      <List.Item>
        <Trans>
          Your avatar, level, roles and former names go, and so do the descriptions of your maps, the texts of your
          reports and appeals, whom you follow, your inbox, tokens and webhooks.
        </Trans>
      </List.Item>
      <List.Item>
        {player ? (
          <Trans>
            Your <Plural value={player.recordCount} one="# record" other="# records" /> and your{' '}
            <Plural value={player.mapCount} one="# map" other="# maps" /> stay under that name: the places of others
            depend on them. The replay files are no longer available.
          </Trans>
        ) : (
          <Trans>
            Your records and maps stay under that name: the places of others depend on them. The replay files are no
            longer available.
          </Trans>
        )}
      </List.Item>
      <List.Item>
        <Trans>
          This cannot be undone. Anyone who logs in as <Name>{name}</Name> afterwards is a new player.
        </Trans>
      </List.Item>
    </List.Root>
  )
}

function Ask({ user }: { user: User }) {
  const [asking, setAsking] = useState(false)
  return asking ? (
    <Panel p="5">
      <DeletionForm user={user} onCancel={() => setAsking(false)} />
    </Panel>
  ) : (
    <Box>
      <Button variant="outline" colorPalette="red" onClick={() => setAsking(true)}>{t`Delete my account`}</Button>
    </Box>
  )
}

interface Values {
  name: string
}

function DeletionForm({ user, onCancel }: { user: User; onCancel: () => void }) {
  const [schedule] = useScheduleOwnDeletionMutation()
  const schema = () =>
    v.object({
      name: v.pipe(
        v.string(),
        v.trim(),
        v.check((name) => isSameName(name, user.name), t`That is not your name.`),
      ),
    })
  const form = useForm<Values, Values>({ schema, defaultValues: { name: '' } })
  const send = async (ownDeletionRequest: Values): Promise<Outcome> => {
    const { data, error } = await schedule({ ownDeletionRequest })
    if (!data) return { error }
    scrollTo({ top: 0 })
    focusPage()
    return { message: t`You have asked for the deletion of your account` }
  }
  const submission = useSubmit(form, send, {
    fallback: t`The deletion could not be requested`,
    loginRequired: t`You must be logged in to delete your account.`,
    fieldOf: (code) => (code === 'name_differs' ? 'name' : undefined),
  })
  return (
    <Form
      form={form}
      submission={submission}
      label={t`Delete your account`}
      button={t`Delete in 14 days`}
      danger
      onCancel={onCancel}
    >
      <TextField
        control={form.control}
        name="name"
        label={t`Your name, to confirm`}
        help={<TextWithNames text={t`Type ${user.name}.`} names={[user.name]} />}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
    </Form>
  )
}
