import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from 'react-router'
import { type ParkourMap, useListMapVersionsQuery } from '@/api'
import { paths } from '@/routes/paths'
import { Box, HStack } from '@/ui'
import { PageLink } from '@/ui/links'
import { Notice } from '@/ui/messages'
import { Select } from '@/ui/Select'

/** Leads to the other versions of a map. */
export function MapVersions({ map }: { map: ParkourMap }) {
  const navigate = useNavigate()
  const { currentData } = useListMapVersionsQuery({ id: map._id })
  const versions = currentData?.data ?? []
  const newest = versions.find((version) => version.newest)
  return (
    <>
      {!map.newest && (
        <Notice
          status="warning"
          mb="4"
          title={t`This is an old version of the map.`}
          description={
            <>
              <Trans>A record counts for the version of the map that its replay was recorded on.</Trans>{' '}
              {newest && (
                <PageLink to={paths.leaderboard(newest._id)} variant="underline">{t`See the newest version`}</PageLink>
              )}
            </>
          }
        />
      )}
      {/* The menu has its place before its versions are known. */}
      {versions.length < 2 && map.version > 1 && <Box h="9" mb="4" />}
      {versions.length > 1 && (
        <HStack as="label" gap="3" mb="4" minH="9">
          <Trans>Version</Trans>
          <Select
            small
            w="auto"
            value={map._id}
            choices={Object.fromEntries(
              versions.map(({ _id, version, newest }) => [_id, newest ? t`${version} (newest)` : String(version)]),
            )}
            onChoose={(id) => navigate(paths.leaderboard(id))}
          />
        </HStack>
      )}
    </>
  )
}
