import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { errorText } from '@/api/error'
import { Loaded } from '@/api/Loaded'
import { type CreatedToken, type PersonalToken, useListTokensQuery, useRevokeTokenMutation } from '@/api/settings'
import { Box, Button, ConfirmDialog, Flex, List, Name, Panel, Skeleton, Stack, Text } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { DateTime } from '@/ui/format'
import { PlusIcon } from '@/ui/icons'
import { EmptyMessage } from '@/ui/messages'
import { Part } from '@/ui/Part'
import { toaster } from '@/ui/toaster'
import { ShownOnce } from '../ShownOnce'
import { Example } from './Example'
import { scopeTexts } from './scopes'
import { TokenForm } from './TokenForm'

const MAX_TOKENS = 10

/** The player's personal tokens: their list, and a form that makes one. */
export function Tokens() {
  const query = useListTokensQuery(undefined, { refetchOnMountOrArgChange: true })
  return (
    <>
      <Loaded
        query={query}
        skeleton={<Skeleton h={{ base: '22rem', md: '19rem' }} role="status" aria-label={t`Loading...`} />}
      >
        {(tokens) => <TokenList tokens={tokens} />}
      </Loaded>
      <Example />
    </>
  )
}

function TokenList({ tokens }: { tokens: PersonalToken[] }) {
  const [adding, setAdding] = useState(false)
  const [created, setCreated] = useState<CreatedToken | null>(null)
  const full = tokens.length >= MAX_TOKENS
  const close = () => {
    setAdding(false)
    setCreated(null)
  }
  return (
    <Part
      spaced
      title={t`Your tokens`}
      aside={
        <Button size="sm" disabled={full || adding} onClick={() => setAdding(true)}>
          <PlusIcon size={4} /> <Trans>New token</Trans>
        </Button>
      }
    >
      <Text color="fg.muted">
        {full
          ? t`You have ${MAX_TOKENS} tokens, the maximum. Revoke one to create another.`
          : plural(tokens.length, {
              one: `You have # token, and may have up to ${MAX_TOKENS}.`,
              other: `You have # tokens, and may have up to ${MAX_TOKENS}.`,
            })}
      </Text>
      {created && (
        <ShownOnce
          title={t`Your new token ${created.personalToken.name}`}
          warning={t`Copy it now: it is shown only once. Anyone who has it can act for you, so do not show it on a stream or in a chat.`}
          secret={created.token}
          copyLabel={t`Copy the token`}
          onClose={close}
        />
      )}
      {adding && (
        <Panel p="5">
          <TokenForm
            onCancel={close}
            onCreated={(token) => {
              setAdding(false)
              setCreated(token)
            }}
          />
        </Panel>
      )}
      {tokens.length === 0 && !adding && !created && (
        <EmptyMessage
          title={t`You have no tokens.`}
          hint={t`With a token, a program of yours can use the API for you.`}
        />
      )}
      {tokens.length > 0 && (
        <Panel px="4">
          <DividedList aria-label={t`Tokens`}>
            {tokens.map((token) => (
              <TokenItem key={token._id} token={token} />
            ))}
          </DividedList>
        </Panel>
      )}
    </Part>
  )
}

function TokenItem({ token }: { token: PersonalToken }) {
  const { _id, name, scopes, expiresAt, lastUsedOn } = token
  const [revokeToken] = useRevokeTokenMutation()
  const texts = scopeTexts()
  const revoke = async () => {
    const { error } = await revokeToken({ id: _id })
    if (error) toaster.error({ title: errorText(error, t`Failed to revoke the token`) })
    else toaster.success({ title: t`Token revoked` })
  }
  return (
    <Flex
      as="li"
      direction={{ base: 'column', sm: 'row' }}
      justify="space-between"
      align={{ base: 'stretch', sm: 'flex-start' }}
      gap="3"
      py="4"
    >
      <Stack gap="1" minW="0">
        <Text fontWeight="semibold">
          <Name>{name}</Name>
        </Text>
        <List.Root ps="5" textStyle="sm">
          {scopes.map((scope) => (
            <List.Item key={scope}>{texts[scope]?.[1] ?? scope}</List.Item>
          ))}
        </List.Root>
        <Text textStyle="sm" color="fg.muted">
          <Trans>
            Expires on <DateTime iso={expiresAt} />.
          </Trans>{' '}
          {lastUsedOn ? (
            <Trans>
              Last used on <DateTime iso={lastUsedOn} />.
            </Trans>
          ) : (
            <Trans>Never used.</Trans>
          )}
        </Text>
      </Stack>
      <Box flexShrink="0">
        <ConfirmDialog
          trigger={
            <Button size="sm" variant="outline" colorPalette="red" aria-label={t`Revoke ${name}`}>{t`Revoke`}</Button>
          }
          title={t`Revoke ${name}?`}
          confirm={t`Revoke`}
          onConfirm={revoke}
        >
          <Trans>Programs that use it stop working at once. A revoked token cannot be restored.</Trans>
        </ConfirmDialog>
      </Box>
    </Flex>
  )
}
