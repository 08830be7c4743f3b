-- Lets go of the locks by which a leased claim waited for nobody, when it is committed or refused.
-- Returns nothing: zero rows are as it should be.
do release_all_locks();
