import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type CaseDetail, type Conflict, useClaimCaseMutation, useReleaseCaseMutation } from '@/api/desk'
import { errorText, type QueryError } from '@/api/error'
import { isAllowed } from '@/session/permissions'
import { useSession } from '@/store/hooks'
import { Button, Code, Flex, Stack, Text } from '@/ui'
import { toaster } from '@/ui/toaster'
import { ClaimText } from './ClaimText'

const CONFLICTS: Record<Conflict, MessageDescriptor> = {
  own: msg`This case is about you. Somebody else decides it.`,
  reporter: msg`You reported this. Somebody else decides it.`,
  neighbour: msg`Your own record is next to this one on its leaderboard. Somebody else decides it.`,
}

/** Returns what claims a case and gives it back. */
export function useClaim({ _id, state, claim, conflict }: CaseDetail) {
  const [claimCase, claiming] = useClaimCaseMutation()
  const [releaseCase, releasing] = useReleaseCaseMutation()
  const player = useSession() ?? {}
  const report = (error: QueryError) =>
    error && toaster.error({ id: 'claim', title: errorText(error, t`The case could not be claimed`) })
  const take = async (override: boolean) => {
    const { error } = await claimCase({ id: _id, claimRequest: override ? { override } : {} })
    report(error)
  }
  const release = async () => {
    const { error } = await releaseCase({ id: _id })
    report(error)
  }
  const needsOverride = conflict !== null || (claim !== null && !claim.mine)
  const mayOverride =
    (conflict === null || isAllowed(player, 'overrule conflict of interest')) &&
    (claim === null || isAllowed(player, 'take over case'))
  return {
    mayOverride: needsOverride && mayOverride,
    busy: claiming.isLoading || releasing.isLoading,
    take,
    release,
    /** What the key does: an admin overrides only with the button. */
    toggle: () => {
      if (state === 'closed') return
      if (claim?.mine) void release()
      else if (!needsOverride) void take(false)
    },
  }
}

interface Props {
  detail: CaseDetail
  claim: ReturnType<typeof useClaim>
}

/** Who has the case, and the buttons that claim it and give it back. */
export function ClaimPanel({ detail, claim: { mayOverride, busy, take, release } }: Props) {
  const { state, claim, conflict } = detail
  if (state === 'closed') {
    return <Text>{t`The case is closed.`}</Text>
  }
  if (claim?.mine) {
    return (
      <Flex justify="space-between" align="center" gap="3" mb="5">
        <Text role="status">
          <Trans>
            Claimed: <ClaimText claim={claim} />
          </Trans>
        </Text>
        <Button size="sm" variant="outline" loading={busy} onClick={release}>
          <Trans>Give back</Trans> <ClaimKey />
        </Button>
      </Flex>
    )
  }
  return (
    <Stack gap="3" align="flex-start">
      {conflict && <Text role="status">{i18n._(CONFLICTS[conflict])}</Text>}
      {claim && (
        <Text role="status">
          <Trans>
            Claimed: <ClaimText claim={claim} />
          </Trans>
        </Text>
      )}
      {!conflict && !claim && (
        <>
          <Text color="fg.muted">{t`Claim the case to decide it. It is yours alone for the next 20 minutes.`}</Text>
          <Button loading={busy} onClick={() => take(false)}>
            <Trans>Claim</Trans> <ClaimKey />
          </Button>
        </>
      )}
      {mayOverride && (
        <>
          <Button variant="outline" loading={busy} onClick={() => take(true)}>
            {claim ? <Trans>Take over</Trans> : <Trans>Claim anyway</Trans>}
          </Button>
          <Text textStyle="sm" color="fg.muted">
            <Trans>The audit log will say that you did.</Trans>
          </Text>
        </>
      )}
    </Stack>
  )
}

/** The key that claims the case and gives it back. Telephones have no keys. */
const ClaimKey = () => (
  <Code size="xs" mdDown={{ display: 'none' }}>
    c
  </Code>
)
