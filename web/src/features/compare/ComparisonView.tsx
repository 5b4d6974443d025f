import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Comparison, ModeScore, PlayerRef, Score } from '@/api'
import { Avatar } from '@/entities/player/Avatar'
import { paths } from '@/routes/paths'
import { Box, type Column, DataTable, type Elements, Grid, Heading, Name, Panel, Stack, styled, Text } from '@/ui'
import { formatNumber } from '@/ui/format'
import { PageHeading, SectionHeading } from '@/ui/headings'
import { SortIcon } from '@/ui/icons'
import { ButtonLink, PageLink } from '@/ui/links'

/** Two players beside each other with their score, in all and by mode. The query is that of the mirrored address. */
export function ComparisonView({ comparison, query }: { comparison: Comparison; query: string }) {
  const { player, opponent, score, modes } = comparison
  return (
    <Stack gap="8">
      <Panel as="section" aria-label={t`Score`} p={{ base: '5', md: '8' }}>
        <PageHeading>
          <Trans>
            <Name>{player.name}</Name> against <Name>{opponent.name}</Name>
          </Trans>
        </PageHeading>
        <Grid gridTemplateColumns="minmax(0, 1fr) auto minmax(0, 1fr)" gap="4" alignItems="end" mt="6">
          <Side player={player}>
            <Points label={t`Faster`} value={score.wins} />
          </Side>
          <Points label={t`Ties`} value={score.ties} muted />
          <Side player={opponent}>
            <Points label={t`Faster`} value={score.losses} />
          </Side>
        </Grid>
        <ScoreBar score={score} />
        <Text mt="4" color="fg.muted" textAlign="center">
          {leaderText(comparison)}
        </Text>
        <Box mt="4" textAlign="center">
          <ButtonLink to={paths.compare(opponent._id, player._id) + query} size="sm" variant="outline">
            <SortIcon size={4} /> <Trans>Swap the players</Trans>
          </ButtonLink>
        </Box>
      </Panel>
      {modes.length > 1 && (
        <section>
          <SectionHeading>
            <Trans>By game mode</Trans>
          </SectionHeading>
          <DataTable
            label={t`Score by game mode`}
            columns={modeColumns(player, opponent)}
            rows={modes}
            idOf={({ mode }) => mode ?? ''}
          />
        </section>
      )}
    </Stack>
  )
}

function leaderText({ player, opponent, score: { wins, losses } }: Comparison): string {
  if (wins === losses) return t`Neither leads.`
  const leader = wins > losses ? player.name : opponent.name
  return t`${leader} leads.`
}

function Side({ player, children }: { player: PlayerRef; children: Elements }) {
  return (
    <Stack gap="2" align="center" minW="0">
      <Avatar player={player} size={14} />
      <Heading as="h2" textStyle="lg" maxW="full" truncate title={player.name}>
        <PageLink to={paths.player(player._id)} color="inherit">
          <Name>{player.name}</Name>
        </PageLink>
      </Heading>
      {children}
    </Stack>
  )
}

function Points({ label, value, muted }: { label: string; value: number; muted?: boolean }) {
  return (
    <Stack gap="0" align="center" color={muted ? 'fg.muted' : 'fg'}>
      <Text fontFamily="heading" fontWeight="bold" fontSize="3xl" lineHeight="1.1" fontVariantNumeric="tabular-nums">
        {formatNumber(value)}
      </Text>
      <Text textStyle="xs" color="fg.muted">
        {label}
      </Text>
    </Stack>
  )
}

const Bar = styled('div', {
  base: { display: 'flex', gap: '0.5', h: '2', mt: '6', rounded: 'full', overflow: 'hidden', bg: 'bg.muted' },
})

const Part = styled('div', {
  base: { minW: '0' },
  variants: {
    of: { player: { bg: 'brand.solid' }, ties: { bg: 'border.emphasized' }, opponent: { bg: 'medal.gold' } },
  },
})

/** The shares of the score; the numbers above it say the same. */
function ScoreBar({ score }: { score: Score }) {
  return (
    <Bar aria-hidden="true">
      <Part of="player" style={{ flexGrow: score.wins }} />
      <Part of="ties" style={{ flexGrow: score.ties }} />
      <Part of="opponent" style={{ flexGrow: score.losses }} />
    </Bar>
  )
}

const modeColumns = (player: PlayerRef, opponent: PlayerRef): Column<ModeScore>[] => [
  { header: msg`Mode`, width: '5rem', cell: ({ mode }) => mode ?? t`Unknown` },
  { header: player.name, width: '2rem', align: 'end', cell: ({ score }) => formatNumber(score.wins) },
  { header: msg`Ties`, width: '2rem', align: 'end', muted: true, cell: ({ score }) => formatNumber(score.ties) },
  { header: opponent.name, width: '2rem', align: 'end', cell: ({ score }) => formatNumber(score.losses) },
]
