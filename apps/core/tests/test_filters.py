import django_filters

from apps.core.api.filters import FilterSet
from apps.core.jobs.models import Job


class JobFilter(FilterSet):
    state = django_filters.CharFilter()
    kind = django_filters.CharFilter(required=True)
    message = django_filters.CharFilter()

    class Meta:
        model = Job
        fields: tuple[str, ...] = ()


class TestFilterSet:
    def test_makes_the_filters_that_are_asked_for(self):
        asked = JobFilter({"message": "a", "kind": "b"})

        assert list(asked.filters) == ["kind", "message"]
        assert asked.form.is_valid()

    def test_misses_what_a_list_requires(self):
        asked = JobFilter({"state": "failed"})

        assert list(asked.filters) == ["state", "kind"]
        assert list(asked.errors) == ["kind"]

    def test_leaves_the_filters_of_the_class_as_they_are(self):
        JobFilter({"state": "failed"})

        assert list(JobFilter.base_filters) == ["state", "kind", "message"]
