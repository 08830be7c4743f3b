-- Claims that were deleted before their window was over, or before they were done.
select count(*) from soak_deleted_alive;
