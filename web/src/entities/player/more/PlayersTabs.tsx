import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { paths } from '@/routes/paths'
import { Box, Flex, Text } from '@/ui'
import { PageHeading } from '@/ui/headings'
import { LinkTabs } from '@/ui/more/LinkTabs'

/** The heading of a page about all players, with links to the others beside it. */
export function PlayersHeading({ path, hint, children }: { path: string; hint?: string; children: ReactNode }) {
  const tabs = [
    { to: paths.playerSearch, text: t({ message: 'Search', context: 'page' }) },
    { to: paths.rankings, text: t`Rankings` },
    { to: paths.formula, text: t`How points work` },
  ]
  return (
    <Flex wrap="wrap" align="center" justify="space-between" gap="3">
      <Box>
        <PageHeading>{children}</PageHeading>
        {hint && (
          <Text mt="1" color="fg.muted">
            {hint}
          </Text>
        )}
      </Box>
      <LinkTabs label={t`Pages about players`} tabs={tabs} current={path} />
    </Flex>
  )
}
